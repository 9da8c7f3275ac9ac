import type { Media } from '../../media/media.ts';
import type { MediaJson } from './contract.ts';

export function mediaJson({
  id,
  src,
  thumbnail,
  name,
  alt,
  width,
  height,
  isMoving,
  bytes,
  createdAt,
  createdBy,
}: Media): MediaJson {
  return { id, src, thumbnail, name, alt, width, height, isMoving, bytes, createdAt, createdBy };
}
