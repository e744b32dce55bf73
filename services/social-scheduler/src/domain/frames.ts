import type { PlatformId } from './platform.ts';
import type { PostState } from './ports.ts';

/** Frames that this service sends to sockets (packages/api, realtime.ts). */
export type SocialFrame =
  | { type: 'social_post_changed'; data: { postId: string; state: PostState | null } }
  | { type: 'social_connections_changed'; data: { platform: PlatformId } };
