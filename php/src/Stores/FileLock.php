<?php

declare(strict_types=1);

namespace Polypack\Stores;

/**
 * A lock that names its holder, so that others can remove it after the holder has crashed (spec/05-records.md#stores).
 * Processes of other languages use the same lock. The steps are those of the JavaScript package.
 *
 * Other processes may rescue the lock: they remove it if its holder is dead. If they can't find out whether the holder
 * is dead, the age of the lock decides. These rules keep them from removing the lock of a later, living holder:
 *
 * - A lock appears together with its content, because it is a hard link to a complete file.
 * - To remove the lock of a dead holder, a rescuer first makes the hard link `PATH.lock.TOKEN.0`. TOKEN is the dead
 *   holder's token. Only one rescuer can make this link. If that rescuer dies, the next one makes `PATH.lock.TOKEN.1`,
 *   and so on. A rescuer removes the lock only if the lock still has TOKEN. Then it removes all these links.
 * - Only a holder of the lock removes other files that crashes have left. While it holds the lock, no rescuer is about
 *   to remove the lock of a dead holder, so no rescuer still needs its link.
 *
 * @internal
 */
final class FileLock
{
    /** What follows `PATH.lock.` in the names of files that writers create. */
    private const SUFFIX = '/\A[0-9a-f-]+(\.[0-9]+|\.now)?\z/';
    /** Microseconds between two attempts, on average: the first pause, which then doubles, and the longest. */
    private const SHORTEST_PAUSE = 2_000;
    private const LONGEST_PAUSE = 40_000;

    private ?string $token = null;

    public function __construct(
        private readonly string $path,
        private readonly int $timeout,
        private readonly int $staleAfter,
    ) {}

    /**
     * @throws \RuntimeException when the lock isn't free within the timeout, or a file can't be read or written
     */
    public function take(): void
    {
        $owner = Owner::self();
        $own = "{$this->path}.{$owner->token}";
        $deadline = \hrtime(true) + $this->timeout * 1_000_000;
        Files::create($own, $content = $owner->toJson());
        try {
            for ($pause = self::SHORTEST_PAUSE; !Files::link($own, $this->path); $pause = \min(2 * $pause, self::LONGEST_PAUSE)) {
                if ($this->rescue($own)) {
                    continue;
                }
                if (\hrtime(true) > $deadline) {
                    throw $this->timedOut();
                }
                \usleep(\random_int($pause >> 1, $pause + ($pause >> 1)));
                Files::overwrite($own, $content); // renews the file's time, because the lock's age counts from it
            }
            $this->token = $owner->token;
        } finally {
            // Don't fail, because this process may hold the lock now. After it has ended, a writer removes the file.
            Files::discard($own);
        }
    }

    public function release(): void
    {
        // If this process was suspended for long, another process may have removed the lock and taken it itself.
        if (Owner::of($this->path)?->token === $this->token) {
            Files::remove($this->path);
        }
    }

    /**
     * Removes files that dead writers have left. The caller must hold the lock.
     */
    public function sweep(): void
    {
        $oldest = (int) Files::modified($this->path) - \intdiv($this->staleAfter, 1000);
        foreach (Files::named("{$this->path}.") as $file) {
            $owner = Owner::of($file);
            if ($owner !== null && ($owner->isDead() === true || $this->isAbandoned($file, $owner, $oldest))) {
                Files::remove($file);
            }
        }
    }

    /**
     * Tells whether a file is older than $oldest, and names no owner or one of another boot of this host. A file names
     * no owner if its writer was killed, or the disk was full, before the writer had named itself in it. Files with
     * other names may be of other programs.
     */
    private function isAbandoned(string $file, Owner $owner, int $oldest): bool
    {
        $suffix = \substr(\basename($file), \strlen(\basename($this->path)) + 1);
        $isCut = $owner->isUnknown() && \preg_match(self::SUFFIX, $suffix) === 1;

        return ($isCut || $owner->isOfAnotherBoot()) && Files::isFileSince($file, $oldest);
    }

    private function timedOut(): \RuntimeException
    {
        $holder = Owner::of($this->path);
        $who = $holder === null ? 'somebody' : "process {$holder->pid} of {$holder->host}";

        return new \RuntimeException("{$who} has held {$this->path} for {$this->timeout} ms; if it is gone, delete the file");
    }

    /**
     * Removes the lock if its holder is dead. Returns whether the lock may be free now.
     */
    private function rescue(string $own): bool
    {
        $holder = Owner::of($this->path);
        if ($holder === null) {
            return true;
        }
        if (!$this->isDead($holder, $this->path, $own)) {
            return false;
        }
        $claims = [];
        while (true) {
            $claim = "{$this->path}.{$holder->token}." . \count($claims);
            $claims[] = $claim;
            if (Files::link($own, $claim)) {
                break;
            }
            $rescuer = Owner::of($claim);
            if ($rescuer === null) { // another rescuer has removed the lock and its link
                return true;
            }
            if (!$this->isDead($rescuer, $claim, $own)) {
                return false;
            }
        }
        if (Owner::of($this->path)?->token === $holder->token) {
            Files::remove($this->path);
        }
        foreach ($claims as $claim) {
            Files::remove($claim);
        }

        return true;
    }

    /**
     * Tells whether an owner is dead. If this process can't find out, the age of $file decides.
     *
     * @param string $own path of this process's own file. A new file next to it gets the time of the file server,
     *                    whose clock may differ from this machine's
     */
    private function isDead(Owner $owner, string $file, string $own): bool
    {
        $isDead = $owner->isDead();
        if ($isDead !== null) {
            return $isDead;
        }
        $then = Files::modified($file);
        $probe = "{$own}.now";
        Files::create($probe, '');
        $now = Files::modified($probe);
        Files::remove($probe);

        return $then !== null && $now !== null && $now - $then > $this->staleAfter / 1000;
    }
}
