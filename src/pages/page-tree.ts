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
  /** 1 for a root page. */
  depth: number;
  parent: TreeNode | undefined;
  children: TreeNode[];
}

/**
 * Every page of the tree with its place in it, each before its children: the order in which the list names them.
 * Lets other work have its turn in between, so that the largest tree holds up nobody.
 */
export async function treeInOrder(outline: readonly OutlineRow[]): Promise<TreeNode[]> {
  const pause = pauseEvery(5000);
  const nodes = new Map<number, TreeNode>();
  for (const { id, parent_id, urlname, version, bytes } of outline) {
    const node = {
      id,
      parent_id,
      urlname,
      version,
      bytes,
      url: '',
      position: 0,
      depth: 1,
      parent: undefined,
      children: [],
    };
    nodes.set(id, node);
    if (pause.due()) await pause.now();
  }
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    node.parent = node.parent_id === null ? undefined : nodes.get(node.parent_id);
    const siblings = node.parent_id === null ? roots : node.parent?.children;
    if (siblings) node.position = siblings.push(node);
    if (pause.due()) await pause.now();
  }
  const order: TreeNode[] = [];
  const stack = roots.reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    const { parent, children } = node;
    node.url = `${parent?.url ?? ''}/${node.urlname}`;
    node.depth = (parent?.depth ?? 0) + 1;
    order.push(node);
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index]!);
    if (pause.due()) await pause.now();
  }
  return order;
}

function pauseEvery(steps: number) {
  let count = 0;
  return {
    due: () => ++count % steps === 0,
    now: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
