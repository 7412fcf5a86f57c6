/** Deeper than any tree of genres or regions; a row that is its own ancestor by mistake ends here too. */
const DEEPEST = 16;

interface Child<Node> {
  readonly parent: Node | undefined;
}

/** A node and its ancestors, the node first. */
export function lineageOf<Node extends Child<Node>>(node: Node): Node[] {
  const lineage: Node[] = [];
  for (let next: Node | undefined = node; next && lineage.length < DEEPEST; next = next.parent)
    lineage.push(next);
  return lineage;
}

interface Draft<Node> {
  parent: Node | undefined;
  readonly children: Node[];
}

/** Makes a tree of nodes by id, given the rows that name their parents; children come in the order of the rows. */
export function linkTree<Node extends Draft<Node>>(
  rows: readonly { readonly id: number; readonly parent_id: number | null }[],
  nodes: ReadonlyMap<number, Node>,
): void {
  for (const { id, parent_id: parentId } of rows) {
    const node = nodes.get(id);
    const parent = parentId === null ? undefined : nodes.get(parentId);
    if (!node || !parent) continue;
    node.parent = parent;
    parent.children.push(node);
  }
}
