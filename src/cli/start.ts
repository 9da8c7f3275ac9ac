import { commandWithoutDatabase } from './command.ts';
import { startService } from './start-service.ts';

export const startCommand = commandWithoutDatabase({
  about: 'Starts the service, which runs until it is stopped.',
  details: 'The first start creates the database, and an account unless there is one, whose API key it prints.',
  example: '',
  async run({ environment, envFile }) {
    return startService(environment, envFile);
  },
});
