#!/usr/bin/env node
// Writes a CycloneDX bill of materials for each published package.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './arguments.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const USAGE = `usage: node tools/sbom.mjs [--version VERSION] [--out FOLDER]

Writes npm.cdx.json, composer.cdx.json and go.cdx.json, CycloneDX 1.5. None of the packages has a run-time dependency;
the tool fails when a manifest names one.
  --version  the version of the Composer and Go packages, whose manifests name none; 0.0.0 unless given
  --out      the folder; build/sbom unless given
`;

/** @typedef {{name: string, purl: string, version: string, dependencies: string[]}} Package */

/**
 * Reads the manifests of a checkout.
 *
 * @param {string} root
 * @param {string} version of the packages whose manifests name none
 * @returns {Record<string, Package>}
 */
export function packagesOf(root, version) {
  /** @param {string} file */
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const npm = JSON.parse(read('js/package.json'));
  const composer = JSON.parse(read('php/composer.json'));
  const mod = read('go/go.mod');
  const module = /^module (\S+)$/m.exec(mod)?.[1];
  if (module === undefined) throw new Error('sbom: go/go.mod names no module');
  // What PHP itself brings is a platform, not a package.
  const required = Object.keys(composer.require ?? {}).filter((name) => !/^(?:php(?:-64bit)?|ext-.*)$/.test(name));
  const optional = ['dependencies', 'peerDependencies', 'optionalDependencies'];
  return {
    npm: {
      name: npm.name,
      purl: `pkg:npm/${npm.name}`,
      version: npm.version,
      dependencies: optional.flatMap((kind) => Object.keys(npm[kind] ?? {})),
    },
    composer: { name: composer.name, purl: `pkg:composer/${composer.name}`, version, dependencies: required },
    go: {
      name: module,
      purl: `pkg:golang/${module}`,
      version,
      dependencies: [...mod.matchAll(/^(?:require\s+|\t)([^\s(]+\.[^\s]+) v/gm)].map((match) => match[1] ?? ''),
    },
  };
}

/**
 * Returns the bill of materials of a package.
 *
 * @param {Package} item
 */
export function billOf({ name, purl, version, dependencies }) {
  if (dependencies.length > 0) {
    throw new Error(`sbom: ${name} requires ${dependencies.join(', ')} at run time; list them here before you release`);
  }
  const reference = `${purl}@${version}`;
  const component = { type: 'library', 'bom-ref': reference, name, version, purl: reference };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { component: { ...component, licenses: [{ license: { id: 'MIT' } }] } },
    components: [],
    dependencies: [{ ref: reference, dependsOn: [] }],
  };
}

/** @param {string[]} args */
function main(args) {
  const { values } = readArguments('sbom', {
    args,
    options: { version: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const folder = path.resolve(values.out ?? path.join(ROOT, 'build/sbom'));
  mkdirSync(folder, { recursive: true });
  for (const [kind, item] of Object.entries(packagesOf(ROOT, values.version ?? '0.0.0'))) {
    const file = path.join(folder, `${kind}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(billOf(item), null, 2)}\n`);
    console.log(path.relative(process.cwd(), file));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
