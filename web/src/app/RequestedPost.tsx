import { useStore } from 'zustand';
import { postRequests } from '../shell/postRequests.ts';
import { late } from '../ui/late.tsx';

const ComposeDialog = late(async () => (await import('../social/room.ts')).ComposeDialog);

/** Renders the post editor that a button requested, over every screen. */
export function RequestedPost() {
  const wanted = useStore(postRequests, (state) => state.wanted);
  return wanted && <ComposeDialog {...wanted} onClose={() => postRequests.setState({ wanted: null })} />;
}
