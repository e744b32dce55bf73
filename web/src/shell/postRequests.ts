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
}

/**
 * Between the buttons that write a post, which stand in conversations, groups and meetings, and the dialog that writes it,
 * which is of a room above them: what is asked for waits here until it is taken up.
 */
export const postRequests = createStore<{ wanted: PostRequest | null }>(() => ({ wanted: null }));

export function requestPost(wanted: PostRequest): void {
  postRequests.setState({ wanted });
}
