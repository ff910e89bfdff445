// Reading the Dockerfiles of the lab. make test-images does what they say.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { readDockerfile, readVariables } from '../test-images.mjs';

test('a Dockerfile is read instruction by instruction', () => {
  const text = `# a comment
FROM debian:12-slim

RUN one \\
    && two
# another
  # one more
ENV A="1" \\
    B="two words"
ENTRYPOINT ["php", "lab"]
CMD ["serialize"]
`;
  assert.deepEqual(readDockerfile(text), {
    from: 'debian:12-slim',
    steps: [
      ['RUN', 'one      && two'],
      ['ENV', 'A="1"      B="two words"'],
    ],
    entrypoint: ['php', 'lab'],
    command: ['serialize'],
  });
  assert.deepEqual(readVariables('A="1"      B="two words"'), { A: '1', B: 'two words' });
});

test('what the tool cannot do is refused', () => {
  assert.throws(() => readDockerfile('FROM a\nUSER nobody\n'), /doesn't know the instruction "USER nobody"/);
  assert.throws(() => readDockerfile('FROM a\nFROM b\n'), /several stages/);
  assert.throws(() => readVariables('A=1'), /double quotes/);
});

test("the lab's files can be read", () => {
  const read = (/** @type {string} */ name) =>
    readDockerfile(readFileSync(new URL(`../../lab/docker/${name}`, import.meta.url), 'utf8'));
  assert.deepEqual(read('Dockerfile').entrypoint, ['php', 'lab/bin/lab']);
  assert.equal(read('Dockerfile.debug').from, 'polypack-lab');
});
