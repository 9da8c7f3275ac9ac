/**
 * Returns true if the requested resource is this service: its endpoint for assistants, or the service as a whole (RFC 8707).
 */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  return [publicUrl, `${publicUrl}/`, `${publicUrl}/mcp`].includes(resource);
}
