import type { Node } from '@nolo/proto/media';
import type { OwnNode } from '../media/NodeLink.ts';
import type { Rooms } from '../media/Rooms.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies {
  readonly rooms: Rooms;
  readonly self: OwnNode;
  /** Returns the current state of this node. */
  readonly describe: () => Node;
}
