import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** Makes a self-signed certificate for localhost with its key, as PEM. A stored one would expire. */
export function makeCertificate(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const der = certificate(publicKey, privateKey);
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Returns a minimal X.509 version 3 certificate in DER (RFC 5280) that TLS clients accept. */
function certificate(publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const ecdsaWithSha256 = sequence(tag(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = tag(0x06, Buffer.from('550403', 'hex'));
  const name = sequence(tag(0x31, sequence(commonName, tag(0x0c, Buffer.from('localhost')))));
  const subjectAltName = tag(0x06, Buffer.from('551d11', 'hex'));
  const names = sequence(tag(0x82, Buffer.from('localhost')), tag(0x87, Buffer.from([127, 0, 0, 1])));
  const day = 86_400_000;
  const body = sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(sequence(subjectAltName, tag(0x04, names)))),
  );
  const signature = sign('sha256', body, privateKey);
  return sequence(body, ecdsaWithSha256, tag(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tag(0x18, Buffer.from(digits));
}

function sequence(...parts: Buffer[]): Buffer {
  return tag(0x30, Buffer.concat(parts));
}

function tag(kind: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([kind, ...length]), content]);
}
