import { createStore } from 'zustand/vanilla';

export interface PostLink {
  url: string;
  title: string;
  code: string;
}

export interface SocialPostRequest {
  entry: 'post' | 'meeting' | 'group';
  link?: PostLink;
  /** Initial text if there is no link. */
  text?: string;
  /** Pictures and videos already on the server, by their URLs. */
  media?: readonly string[];
}

/**
 * Connects buttons that create a post (in conversations, groups, meetings, and status updates) with the dialog, which
 * belongs to a room above them. A request waits here until the dialog takes it.
 */
export const socialPostRequestStore = createStore<{ wanted: SocialPostRequest | null }>(() => ({ wanted: null }));

export function requestSocialPost(wanted: SocialPostRequest): void {
  socialPostRequestStore.setState({ wanted });
}
