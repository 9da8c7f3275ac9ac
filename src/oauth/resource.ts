/** Whether a program wants a key for this service: for its endpoint for assistants, or as a whole (RFC 8707). */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  return [publicUrl, `${publicUrl}/`, `${publicUrl}/mcp`].includes(resource);
}
