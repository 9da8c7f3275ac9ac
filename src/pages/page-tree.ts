/** What the shape of a tree is read from: siblings must come in the order of their positions. */
export interface OutlineRow {
  id: number;
  parent_id: number | null;
  urlname: string;
  /** The content version at which the page last changed. */
  version: number;
  /** Size of the body in bytes. */
  bytes: number;
}

export interface TreeNode extends OutlineRow {
  /** From the root down: `/about/team`. */
  url: string;
  /** 1-based, dense. */
  position: number;
  children: TreeNode[];
}

/** The root pages, each with its descendants, as `outline` names them. */
export function buildTree(outline: readonly OutlineRow[]): TreeNode[] {
  const nodes = new Map<number, TreeNode>();
  for (const row of outline) {
    const { id, parent_id, urlname, version, bytes } = row;
    nodes.set(id, { id, parent_id, urlname, version, bytes, url: '', position: 0, children: [] });
  }
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    const siblings = node.parent_id === null ? roots : nodes.get(node.parent_id)?.children;
    if (!siblings) continue;
    node.position = siblings.push(node);
  }
  for (const node of inOrder(roots)) {
    const parent = node.parent_id === null ? undefined : nodes.get(node.parent_id);
    node.url = `${parent?.url ?? ''}/${node.urlname}`;
  }
  return roots;
}

/** Every page of the tree, each before its children: the order in which the list names them. */
export function inOrder(roots: readonly TreeNode[]): TreeNode[] {
  const order: TreeNode[] = [];
  const visit = (nodes: readonly TreeNode[]) => {
    for (const node of nodes) {
      order.push(node);
      visit(node.children);
    }
  };
  visit(roots);
  return order;
}
