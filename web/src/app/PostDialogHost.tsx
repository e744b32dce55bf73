import { useStore } from 'zustand';
import { postRequests } from '../shell/postRequests.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';

const ComposeDialog = lazyDialog(async () => (await import('../social/room.ts')).ComposeDialog);

/** Renders the post editor that a button requested, over every screen. */
export function PostDialogHost() {
  const wanted = useStore(postRequests, (state) => state.wanted);
  return wanted && <ComposeDialog {...wanted} onClose={() => postRequests.setState({ wanted: null })} />;
}
