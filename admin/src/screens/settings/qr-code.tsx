import { encodeQR } from 'qr';

/** The required white border, in modules. */
const BORDER_MODULES = 4;

/** A QR code in black on white in every colour scheme: not every app reads white on black. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: BORDER_MODULES });
  const path = rows.flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width={216}
      style={{ maxWidth: '100%', borderRadius: 8 }}
      shapeRendering="crispEdges"
    >
      <path d={`M0 0h${rows.length}v${rows.length}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
