/** PostgreSQL's object ids of the element types. */
const elementTypes = { bigint: 20, text: 25 } as const;

/**
 * The header: the number of dimensions, whether there are nulls, the element type, the number of elements, the index of the
 * first.
 */
const HEADER_BYTES = 20;
/** The length before each element; -1 stands for null. */
const LENGTH_BYTES = 4;
const BIGINT_BYTES = 8;

type Element = number | string | null | undefined;

/**
 * Encodes an array of at least one whole number or text in PostgreSQL's binary format. The text format would need escaping
 * here, which copies long texts, and the server would read it character by character.
 */
export function encodeArray(type: keyof typeof elementTypes, values: readonly Element[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + maxBytes(values));
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  const header = [1, values.some((value) => value == null) ? 1 : 0, elementTypes[type], values.length, 1];
  for (const [index, field] of header.entries()) view.setInt32(index * 4, field);
  let offset = HEADER_BYTES;
  // An iterator would leave two objects as garbage for each element.
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    const start = offset + LENGTH_BYTES;
    let bytes = -1;
    if (typeof value === 'string') {
      bytes = buffer.write(value, start);
    } else if (value != null) {
      view.setBigInt64(start, BigInt(value));
      bytes = BIGINT_BYTES;
    }
    view.setInt32(offset, bytes);
    offset = start + Math.max(bytes, 0);
  }
  return buffer.subarray(0, offset);
}

function maxBytes(values: readonly Element[]): number {
  let all = 0;
  let last: Element;
  let bytes = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    // Many columns have the same value in all rows.
    if (value !== last) bytes = typeof value === 'string' ? Buffer.byteLength(value) : BIGINT_BYTES;
    last = value;
    all += LENGTH_BYTES + bytes;
  }
  return all;
}
