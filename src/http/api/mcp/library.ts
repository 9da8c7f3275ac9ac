/*
 * The used parts of the protocol's library. The package bundles it with this file: see packaging/build.ts.
 */
export {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  Server,
} from '@modelcontextprotocol/server';
