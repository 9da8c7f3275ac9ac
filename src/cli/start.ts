import { fileURLToPath } from 'node:url';
import { commandWithoutDatabase } from './command.ts';

/**
 * The options for Node.js that the service runs with: less memory. They are known before it starts or not at all.
 * `npm start` has the same.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=20'];

export const startCommand = commandWithoutDatabase({
  about: 'Starts the service, which runs until it is stopped.',
  details: 'The first start creates the database, and an account unless there is one, whose API key it prints.',
  example: '',
  async run({ environment, envFile }) {
    const server = fileURLToPath(new URL('../server.js', import.meta.url));
    // Replaces this process: signals reach the service, and the parent process sees how it ends.
    const settings = envFile === undefined ? [] : ['--env-file', envFile];
    return process.execve!(process.execPath, [process.execPath, ...NODE_OPTIONS, '--', server, ...settings], {
      ...environment,
    });
  },
});
