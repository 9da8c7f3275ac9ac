import { AppError } from '../errors.ts';

/** The file descriptors of the sockets that were passed to this program, by purpose. */
export interface PassedSockets {
  /** Replaces PORT. */
  readonly service?: number;
  /** Replaces METRICS_PORT. */
  readonly metrics?: number;
}

/** The first passed descriptor in systemd's protocol. */
const FIRST_DESCRIPTOR = 3;

/** The name of the socket for METRICS_PORT. A socket with any other name is for PORT. */
const METRICS = 'metrics';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Returns the sockets that systemd, or a program that follows its protocol, has opened for this process. `LISTEN_FDS` is
 * their number, `LISTEN_FDNAMES` has their names, and `LISTEN_PID` the process they are for.
 * @throws AppError `invalid` if the purpose of a socket is ambiguous
 */
export function passedSockets(environment: Values, pid: number, hasMetricsPort: boolean): PassedSockets {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' } = environment;
  if (LISTEN_PID !== String(pid) || !LISTEN_FDS) return {};
  const names = LISTEN_FDNAMES.split(':');
  const sockets: { service?: number; metrics?: number } = {};
  for (let index = 0; index < Number(LISTEN_FDS); index++) {
    const use = names[index] === METRICS ? METRICS : 'service';
    if (sockets[use] !== undefined) throw new AppError('invalid', tooMany(use));
    sockets[use] = FIRST_DESCRIPTOR + index;
  }
  if (sockets.metrics !== undefined && !hasMetricsPort) {
    throw new AppError('invalid', `A socket named "${METRICS}" was passed. Set METRICS_PORT, too.`);
  }
  return sockets;
}

function tooMany(use: string): string {
  const advice = 'Use one ListenStream= for IPv4 and IPv6 together, such as ListenStream=8080.';
  return use === METRICS
    ? `More than one socket named "${METRICS}" was passed (LISTEN_FDNAMES). ${advice}`
    : `More than one socket was passed for PORT (LISTEN_FDS). ${advice} For METRICS_PORT, set FileDescriptorName=${METRICS}.`;
}
