import { examine } from '../operations/doctor.ts';
import { command } from './command.ts';
import { printable } from './output.ts';

export const doctorCommand = command({
  about: 'Checks that everything in the database fits together.',
  details:
    'Changes nothing, and the service may run meanwhile. Prints a line for everything that is wrong; the exit code is then\n' +
    '1.',
  example: '',
  database: 'existing',
  async run({ db }) {
    const { problems, notes } = await examine(db);
    const ok = problems.length === 0;
    const lines = [
      ...problems.map(({ check, message }) => printable(`${check}: ${message}`)),
      ...(ok ? ['Everything fits together.'] : []),
      ...notes.map(({ check, message }) => printable(`For your information: ${check}: ${message}`)),
    ];
    return { text: lines.join('\n'), json: { ok, problems, notes }, exitCode: ok ? 0 : 1 };
  },
});
