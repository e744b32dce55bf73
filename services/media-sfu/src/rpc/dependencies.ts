import type { Node } from '@nolo/proto/media';
import type { Self } from '../media/NodeLink.ts';
import type { Rooms } from '../media/Rooms.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies {
  readonly rooms: Rooms;
  readonly self: Self;
  /** This node as it is now. */
  readonly describe: () => Node;
}
