/*
 * Replaces libFuzzer where there is only gcc: mutates a corpus for some time, without feedback from coverage.
 *
 * usage: heads SECONDS SEED <CORPUS, where each line of CORPUS is an input in hex
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_INPUT 4096
#define MAX_INPUTS 20000

static uint8_t *inputs[MAX_INPUTS];
static size_t lengths[MAX_INPUTS];
static size_t count;
static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t) (state >> 32) % limit;
}

static int digit(int character)
{
	return character <= '9' ? character - '0' : character - 'a' + 10;
}

static void read_corpus(void)
{
	static char line[2 * MAX_INPUT + 2];
	while (count < MAX_INPUTS && fgets(line, sizeof(line), stdin) != NULL) {
		size_t length = strspn(line, "0123456789abcdef") / 2;
		inputs[count] = malloc(length + 1);
		for (size_t i = 0; i < length; i++) {
			inputs[count][i] = (uint8_t) (digit(line[2 * i]) << 4 | digit(line[2 * i + 1]));
		}
		lengths[count++] = length;
	}
}

/* Makes an input from one or two inputs of the corpus. Returns its length. */
static size_t mutate(uint8_t *to)
{
	size_t first = random_below((uint32_t) count), second = random_below((uint32_t) count);
	size_t length = lengths[first];
	memcpy(to, inputs[first], length);
	if (random_below(3) == 0 && length > 0) { /* the beginning of one, the end of another */
		size_t from = random_below((uint32_t) lengths[second] + 1);
		length = random_below((uint32_t) length) + 1;
		memcpy(to + length, inputs[second] + from, lengths[second] - from);
		length += lengths[second] - from;
	}
	for (uint32_t i = random_below(4); i > 0 && length > 0; i--) {
		uint32_t at = random_below((uint32_t) length);
		switch (random_below(4)) {
			case 0:
				to[at] ^= (uint8_t) (1u << random_below(8));
				break;
			case 1:
				to[at] = (uint8_t) random_below(256);
				break;
			case 2:
				to[at] = (uint8_t) (0xc0 + random_below(0x20));
				break;
			default:
				length = at;
		}
	}
	return length;
}

int main(int argc, char **argv)
{
	static uint8_t input[2 * MAX_INPUT];
	if (argc != 3) {
		fprintf(stderr, "usage: %s SECONDS SEED <CORPUS\n", argv[0]);
		return 2;
	}
	time_t end = time(NULL) + atol(argv[1]);
	state = strtoull(argv[2], NULL, 10) * 2654435761u + 88172645463325252u;
	read_corpus();
	if (count == 0) {
		fprintf(stderr, "the corpus is empty\n");
		return 2;
	}
	uint64_t rounds = 0;
	do {
		for (int i = 0; i < 1000; i++) {
			size_t length = rounds < count ? lengths[rounds] : mutate(input);
			const uint8_t *from = rounds < count ? inputs[rounds] : input;
			uint8_t *exact = malloc(length + (length == 0)); /* so that a sanitizer notices a read past the end */
			memcpy(exact, from, length);
			LLVMFuzzerTestOneInput(exact, length);
			free(exact);
			rounds++;
		}
	} while (time(NULL) < end);
	printf("%zu inputs, %llu rounds\n", count, (unsigned long long) rounds);
	return 0;
}
