import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The part that is used here of the service's options for creating or finding a passkey. */
interface Options {
  challenge: string;
  user?: { id: string };
}

export interface Ceremony {
  origin?: string;
  rpId?: string;
  /** True if the device has verified its owner. */
  isVerified?: boolean;
}

const ours = { origin: 'http://localhost:8080', rpId: 'localhost', isVerified: true };

/**
 * A WebAuthn device with one passkey (ES256, no attestation). It does whatever a test wants, including what no browser would
 * allow.
 */
export class Authenticator {
  readonly credentialId = randomBytes(16).toString('base64url');
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  counter = 0;
  userHandle = '';

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Returns the result of `navigator.credentials.create`. */
  create(options: Options, ceremony: Ceremony = {}, { format = 'none', statement = map() } = {}) {
    this.userHandle = options.user?.id ?? '';
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()]);
    const authData = this.#authData(ceremony, attested);
    const attestationObject = map(['fmt', text(format)], ['attStmt', statement], ['authData', bytes(authData)]);
    return this.#answer({
      clientDataJSON: clientData('webauthn.create', options, ceremony),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Returns the result of `navigator.credentials.get`. */
  get(options: Options, ceremony: Ceremony = {}) {
    const clientDataJSON = clientData('webauthn.get', options, ceremony);
    const authData = this.#authData(ceremony);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([authData, hash]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  #answer<T>(response: T) {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #authData({ rpId = ours.rpId, isVerified = ours.isVerified }: Ceremony, attested?: Buffer): Buffer {
    // The flags: user present, user verified, backup eligible, backed up, with a credential.
    const flags = 0x01 | (isVerified ? 0x04 : 0) | 0x08 | 0x10 | (attested ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const hash = createHash('sha256').update(rpId).digest();
    return Buffer.concat([hash, Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)]);
  }

  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (value: string | undefined) => bytes(Buffer.from(value!, 'base64url'));
    // kty EC2, alg ES256, crv P-256.
    return map([1, integer(2)], [3, integer(-7)], [-1, integer(1)], [-2, coordinate(x)], [-3, coordinate(y)]);
  }
}

function clientData(type: string, { challenge }: Options, { origin = ours.origin }: Ceremony): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
}

/* The subset of CBOR that authenticators need. */

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
}

export function list(...items: Buffer[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

export function map(...entries: [key: string | number, value: Buffer][]): Buffer {
  const parts = entries.flatMap(([key, value]) => [typeof key === 'number' ? integer(key) : text(key), value]);
  return Buffer.concat([head(5, entries.length), ...parts]);
}
