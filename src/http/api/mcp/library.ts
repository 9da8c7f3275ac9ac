/* What is used of the protocol's library. The package has this file bundled with it: see packaging/build.ts. */
export {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  type ListToolsResult,
  Server,
} from '@modelcontextprotocol/server';
