/**
 * Shows how far the relay is: one moving line on a terminal, one plain line per data set elsewhere.
 */

const BAR_WIDTH = 24; // characters

export class Progress {
  /**
   * @param {NodeJS.WriteStream} stream
   * @param {number} total steps
   */
  constructor(stream, total) {
    this.stream = stream;
    this.total = total;
    this.count = 0;
    this.section = '';
  }

  /**
   * Starts a data set.
   *
   * @param {string} name
   */
  begin(name) {
    this.section = name;
    if (this.stream.isTTY) this.#draw('');
    else this.stream.write(`${name} …\n`);
  }

  /**
   * Ends one step.
   *
   * @param {string} label what was done
   */
  step(label) {
    this.count = Math.min(this.count + 1, this.total);
    if (this.stream.isTTY) this.#draw(label);
  }

  /** Clears the moving line. */
  end() {
    if (this.stream.isTTY) this.stream.write('\r\x1b[2K');
  }

  /** @param {string} label */
  #draw(label) {
    const share = this.count / this.total;
    const filled = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${this.section}  ${label}`;
    this.stream.write(`\r\x1b[2K${line.slice(0, (this.stream.columns ?? 80) - 1)}`);
  }
}
