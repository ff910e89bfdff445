<?php

declare(strict_types=1);

// Keeps a corpus of libFuzzer, which is a folder with a file for each input, as one file with a line of hex for each.
//
// usage: php corpus.php unpack FILE FOLDER        writes the inputs into FOLDER
//        php corpus.php pack FOLDER FILE          writes FILE
//        php corpus.php seeds FOLDER              makes inputs for embed.c of the vectors, and of the lines that
//                                                 php/fuzz/inputs.php prints, read from the standard input

require dirname(__DIR__, 2) . '/php/vendor/autoload.php';

/** Ways of target.php to treat messages, and the first that treats snapshots. */
const MESSAGES = 35, SNAPSHOT = 35;

/** @var list<string> $words */
$words = $_SERVER['argv'];
$write = static function (string $folder, string $bytes): void {
	file_put_contents($folder . '/' . sha1($bytes), $bytes);
};
switch ($words[1] ?? '') {
	case 'unpack':
		foreach (file($words[2], FILE_IGNORE_NEW_LINES) ?: [] as $line) {
			$write($words[3], (string) hex2bin($line));
		}
		break;
	case 'pack':
		$lines = array_map(static fn(string $file): string => bin2hex((string) file_get_contents($file)), glob($words[2] . '/*') ?: []);
		sort($lines);
		file_put_contents($words[3], implode("\n", $lines) . "\n");
		break;
	case 'seeds':
		while (($line = fgets(STDIN)) !== false) {
			$bytes = (string) hex2bin(trim($line));
			for ($i = 0; $i < 3; ++$i) {
				$write($words[2], chr((crc32($bytes) + 13 * $i) % MESSAGES) . $bytes);
			}
		}
		foreach (glob(dirname(__DIR__, 2) . '/vectors/snapshot/{values,accepted,objects,invalid}.json', GLOB_BRACE) ?: [] as $file) {
			foreach (json_decode((string) file_get_contents($file), true)['cases'] as $case) {
				$bytes = (string) hex2bin($case['bytes'] ?? '');
				if (strlen($bytes) < 4096) {
					$write($words[2], chr(SNAPSHOT + crc32($bytes) % 2) . $bytes);
				}
			}
		}
		break;
	default:
		fwrite(STDERR, "corpus.php: no such verb\n");
		exit(2);
}
