<?php

declare(strict_types=1);

namespace Polypack\Lab\Contestant;

use Polypack\Lab\Measure\Environment;
use Polypack\Lab\Paths;
use Polypack\Lab\Refusal;
use Symfony\Component\Process\Process;

/** A folder below lab/vendors: the packages of one library, apart from everybody else's. */
final class Vendor
{
    public function __construct(public readonly string $name) {}

    /** @return list<self> those that Composer installs */
    public static function all(): array
    {
        $files = \glob(Paths::lab('vendors/*/composer.json')) ?: [];

        return \array_map(static fn(string $file): self => new self(\basename(\dirname($file))), $files);
    }

    public function folder(): string
    {
        return Paths::lab("vendors/{$this->name}");
    }

    public function autoload(): string
    {
        $own = "{$this->folder()}/autoload.php";

        return \is_file($own) ? $own : "{$this->folder()}/vendor/autoload.php";
    }

    /** Tells why its contestants can't run, or null if they can. */
    public function missing(): ?string
    {
        if (\is_file($this->autoload())) {
            return null;
        }
        $reason = @\file_get_contents($this->stamp());

        return \is_string($reason) && \is_file("{$this->folder()}/composer.json")
            ? "{$reason}; give a checkout: lab vendors --checkout {$this->name}=FOLDER"
            : "not installed: lab vendors --install {$this->name}";
    }

    /** Returns the installed version of a package. */
    public function version(string $package): string
    {
        /** @var array{packages?: list<array{name: string, version: string}>} $installed */
        $installed = \json_decode((string) @\file_get_contents("{$this->folder()}/vendor/composer/installed.json"), true) ?? [];
        foreach ($installed['packages'] ?? [] as ['name' => $name, 'version' => $version]) {
            if ($name === $package) {
                $checkout = @\file_get_contents("{$this->folder()}/.checkout");

                return \ltrim($version, 'v') . (\is_string($checkout) ? " ({$checkout})" : '');
            }
        }

        return '?';
    }

    /** Tells whether installing was tried before and can be left out, unless composer.json changed. */
    public function isSettled(): bool
    {
        return @\file_get_contents("{$this->folder()}/.tried") === $this->manifestDigest();
    }

    private function manifestDigest(): string
    {
        return \hash('sha256', (string) \file_get_contents("{$this->folder()}/composer.json"));
    }

    /**
     * Lets Composer install the packages. Returns null or why it couldn't, in a few words.
     *
     * @param list<string> $checkouts folders with packages that the registry lacks
     */
    public function install(array $checkouts): ?string
    {
        $environment = ['COMPOSER_ALLOW_SUPERUSER' => '1'];
        if ($checkouts !== []) {
            $environment['COMPOSER_HOME'] = $this->homeWith($checkouts);
        }
        $command = ['composer', 'update', '--no-interaction', '--no-progress', '--no-scripts', '--no-plugins', '--no-dev', '--classmap-authoritative', '--ignore-platform-req=php+'];
        $process = new Process($command, $this->folder(), $environment);
        $process->setTimeout(600)->run();
        @\unlink("{$this->folder()}/composer.lock");
        Paths::write("{$this->folder()}/.tried", $this->manifestDigest());
        if ($process->isSuccessful() && \is_file("{$this->folder()}/vendor/autoload.php")) {
            @\unlink($this->stamp());
            $versions = \array_map(static fn(string $folder): string => Environment::said(['git', 'describe', '--tags', '--always'], $folder) ?? 'no commit', $checkouts);
            $stamp = "{$this->folder()}/.checkout";
            $checkouts === [] ? @\unlink($stamp) : Paths::write($stamp, 'checkout ' . \implode(' ', $versions));

            return null;
        }
        $reason = self::reason($process->getErrorOutput() . $process->getOutput());
        Paths::write($this->stamp(), $reason);

        return $reason;
    }

    private function stamp(): string
    {
        return "{$this->folder()}/.missing";
    }

    /**
     * Makes a home of Composer's that is the user's own with the checkouts as path repositories, so that the vendor's
     * composer.json stays one that every user could have.
     *
     * @param list<string> $checkouts
     */
    private function homeWith(array $checkouts): string
    {
        $process = new Process(['composer', 'config', '--global', 'home'], null, ['COMPOSER_ALLOW_SUPERUSER' => '1']);
        $process->run();
        $own = \trim($process->getOutput()) . '/config.json';
        /** @var array<string, mixed> $config */
        $config = \is_file($own) ? \json_decode((string) \file_get_contents($own), true) ?? [] : [];
        /** @var array<mixed> $repositories */
        $repositories = $config['repositories'] ?? [];
        foreach ($checkouts as $folder) {
            $path = \realpath($folder);
            if ($path === false || !\is_file("{$path}/composer.json")) {
                throw new Refusal("--checkout {$this->name}={$folder}: there is no composer.json in that folder");
            }
            $options = ['symlink' => false];
            // A checkout counts as the latest version that its commit contains.
            $tag = Environment::said(['git', 'describe', '--tags', '--abbrev=0'], $path);
            $package = \json_decode((string) \file_get_contents("{$path}/composer.json"), true);
            if ($tag !== null && \is_array($package) && \is_string($package['name'] ?? null)) {
                $options['versions'] = [$package['name'] => \ltrim($tag, 'v')];
            }
            \array_unshift($repositories, ['type' => 'path', 'url' => $path, 'options' => $options]);
        }
        $home = Paths::make(Paths::build("composer-home/{$this->name}"));
        Paths::write("{$home}/config.json", \json_encode(['repositories' => $repositories] + $config, \JSON_THROW_ON_ERROR));

        return $home;
    }

    private static function reason(string $output): string
    {
        if (\preg_match('/requires ([^\s,]+\/[^\s,]+)[\s,].*?(could not be found|found .* but)/s', $output, $found) === 1) {
            return "the package registry has no {$found[1]} that fits";
        }

        return 'Composer failed: ' . \explode("\n", \trim($output))[0];
    }
}
