import { createStore } from 'zustand/vanilla';

/** What a post links to. */
export interface SharedLink {
  url: string;
  title: string;
  code: string;
}

export interface PostRequest {
  entry: 'post' | 'meeting' | 'group';
  link?: SharedLink;
  /** What it begins with, where it has no link. */
  text?: string;
  /** Pictures and videos that are on the server already, by their addresses there. */
  media?: readonly string[];
}

/**
 * Between the buttons that write a post, which stand in conversations, groups, meetings and status updates, and the dialog that writes it,
 * which is of a room above them: what is asked for waits here until it is taken up.
 */
export const postRequests = createStore<{ wanted: PostRequest | null }>(() => ({ wanted: null }));

export function requestPost(wanted: PostRequest): void {
  postRequests.setState({ wanted });
}
