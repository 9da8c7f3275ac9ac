import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy for PostgreSQL that can fall silent like a host that loses power or its network. */
export class SilentProxy {
  readonly #server: Server;
  readonly #target: string;
  readonly #sockets = new Set<Socket>();
  /** The connections to the lost host. */
  readonly #lost = new Set<Socket>();
  #isSilent = false;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Starts a proxy for the database. */
  static async start(databaseUrl: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(databaseUrl);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The URL of the database through the proxy. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(this.#target), { host: `127.0.0.1:${port}` }).href;
  }

  /** Stops forwarding without refusing or closing connections. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Forwards what was sent meanwhile, and resumes forwarding. */
  comeBack(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Forwards new connections only, as if another host had taken over the address. */
  beReplaced(): void {
    for (const socket of this.#sockets) this.#lost.add(socket);
    this.#sockets.clear();
    this.#isSilent = false;
  }

  async close(): Promise<void> {
    for (const socket of [...this.#sockets, ...this.#lost]) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    const { hostname, port } = new URL(this.#target);
    const folder = decodeURIComponent(hostname);
    const upstream = folder.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port}`)
      : connect({ port: Number(port), host: folder });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('data', (bytes) => void other.write(bytes));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      if (this.#isSilent) socket.pause();
    }
  }
}
