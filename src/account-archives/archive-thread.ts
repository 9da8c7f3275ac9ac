import type { Config } from '../config.ts';
import { WorkerThread } from '../worker-thread.ts';
import type { ArchiveJob } from './run-requests.ts';

/**
 * Makes archives in a thread, which runs only while one is made. Reading an account takes long SQLite statements, and
 * compressing it whole seconds.
 */
export class ArchiveThread {
  readonly #config: Config;
  #thread: WorkerThread<ArchiveJob, void> | undefined;

  constructor(config: Config) {
    this.#config = config;
  }

  async build(job: ArchiveJob): Promise<void> {
    const script = new URL('./build-archive-thread.js', import.meta.url);
    const thread = new WorkerThread<ArchiveJob, void>(script, { name: 'archive', workerData: this.#config }, () => {});
    this.#thread = thread;
    try {
      await thread.request(job);
    } finally {
      this.#thread = undefined;
      await thread.end();
    }
  }

  /** Aborts the archive being made. */
  async stop(): Promise<void> {
    await this.#thread?.end();
  }
}
