import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { beforeClosing, type Lifetime } from './databases.ts';

/** The output of a program, and whether it ended with an error. */
export interface Outcome {
  failed: boolean;
  output: string;
}

/**
 * Starts an interpreter that runs programs one after another, since starting it takes ten times as long as a short program. It
 * stops when the test ends. The command starts `test/programs.js` or its counterpart in another language.
 */
export function startInterpreter(t: Lifetime, [file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const interpreter = spawn(file, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: interpreter.stdout })[Symbol.asyncIterator]();
  beforeClosing(t, async () => interpreter.kill());
  return {
    /** Runs the program of the file, in the file's folder. */
    run: async (program: string): Promise<Outcome> => {
      interpreter.stdin.write(`${program}\n`);
      const { value, done } = await answers.next();
      return done ? { failed: true, output: `The program ended its interpreter: ${file}` } : JSON.parse(value);
    },
  };
}
