import { AppError } from '../errors.ts';
import { validateLabel } from '../name.ts';

/** An OAuth client: a program that asks users for access to their accounts. */
export interface Client {
  readonly name: string;
  /** The URLs to which the user's answer may be sent. */
  readonly redirectUris: readonly string[];
}

const MAX_NAME_CHARACTERS = 100;
const MAX_REDIRECT_URIS = 5;
const MAX_REDIRECT_URI_CHARACTERS = 500;
const MAX_CLIENT_ID_CHARACTERS = 4096;

/**
 * Returns the id of a client that registers itself. The id contains the client's data. Anybody may register anything, so a
 * signature would prove nothing, and a table would only grow.
 * @throws AppError `malformed`
 */
export function registerClient(client: Client): string {
  const id = Buffer.from(JSON.stringify([checkClient(client).name, ...client.redirectUris])).toString('base64url');
  if (id.length > MAX_CLIENT_ID_CHARACTERS)
    throw new AppError('malformed', 'The name and the redirect URIs are too long.');
  return id;
}

/**
 * Reads a client from its id.
 * @throws AppError `malformed` for an invalid id
 */
export function readClient(id: string): Client {
  if (id.length <= MAX_CLIENT_ID_CHARACTERS && /^[\w-]+$/.test(id)) {
    try {
      const [name, ...redirectUris] = JSON.parse(Buffer.from(id, 'base64url').toString());
      return checkClient({ name, redirectUris });
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError || error instanceof AppError)) throw error;
    }
  }
  throw new AppError('malformed', 'The program is not registered. Connect it again.');
}

function checkClient({ name, redirectUris }: Client): Client {
  const isName = typeof name === 'string' && name.length <= MAX_NAME_CHARACTERS && name.isWellFormed();
  if (!isName || validateLabel(name.trim())) {
    throw new AppError('malformed', `client_name must be a text of 1 to ${MAX_NAME_CHARACTERS} characters.`);
  }
  if (redirectUris.length === 0 || redirectUris.length > MAX_REDIRECT_URIS || !redirectUris.every(isRedirectUri)) {
    throw new AppError(
      'malformed',
      `redirect_uris must be 1 to ${MAX_REDIRECT_URIS} addresses: https, http on localhost, or an app's own scheme.`,
    );
  }
  return { name: name.trim(), redirectUris };
}

/** Schemes of known programs without a dot, which RFC 8252 requires. */
const knownSchemes = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:'];

/** Returns true if a browser may be redirected to the URI: never to a script or a file, or unencrypted to another machine. */
function isRedirectUri(uri: unknown): boolean {
  if (typeof uri !== 'string' || uri.length > MAX_REDIRECT_URI_CHARACTERS || !URL.canParse(uri)) return false;
  const { protocol, hostname, hash, username, password } = new URL(uri);
  if (hash !== '' || username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return knownSchemes.includes(protocol) || protocol.includes('.');
}
