import { AppError } from '../errors.ts';
import { isPackage } from '../program.js';
import { commandWithoutDatabase } from './command.ts';
import { NODE_OPTIONS, startService } from './start-service.ts';

export const startCommand = commandWithoutDatabase({
  about: 'Starts the service, which runs until it is stopped.',
  details: 'The first start creates the database and, if there is none, an account, and prints its API key.',
  example: '',
  async run({ environment, envFile }) {
    // Node closes passed sockets when another program replaces it.
    if (environment.LISTEN_PID === String(process.pid)) {
      const script = isPackage ? 'lib/server.js' : 'src/server.js';
      throw new AppError(
        'invalid',
        `This command cannot pass on sockets (LISTEN_FDS). Start node ${NODE_OPTIONS.join(' ')} ${script}, as deploy/freehold.service does.`,
      );
    }
    return startService(environment, envFile);
  },
});
