// Processor time, for tests that notice work that is not linear. What something costs is measured by the
// benches, never by a test.

/** Processor time of this process in milliseconds: a busy machine does not count. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
