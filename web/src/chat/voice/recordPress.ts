/**
 * Milliseconds. A shorter press is a click, and the recording continues until stopped. A longer press is held, and
 * releasing it sends the recording.
 */
const clickMs = 400;
/** Horizontal pixels that discard the recording. */
const cancelDistance = 90;

interface PressFollower {
  /** Reports the progress towards discarding, from 0 to 1. */
  onMove(share: number): void;
  onCancel(): void;
  /** The button is no longer held, and the recording continues. */
  onLoose(): void;
  onRelease(): void;
}

/** Press on the microphone, which may continue while the recorder loads. */
export interface RecordPress {
  /** True if the button is held, or was held long enough for its release to send. */
  readonly isHeldDown: boolean;
  /** Reports further changes, and immediately any outcome so far. Returns a function that stops this. */
  follow(follower: PressFollower): () => void;
}

/** Press from the keyboard, which holds nothing. */
export const keyboardRecordPress: RecordPress = { isHeldDown: false, follow: () => () => {} };

/**
 * Follows a pointer from its press, anywhere on the screen. Uses the events' timestamps, because a busy page handles
 * them late and must not mistake a click for a hold.
 */
export function beginPress(begun: Pick<PointerEvent, 'clientX' | 'pointerId' | 'timeStamp'>): RecordPress {
  const { clientX: at, pointerId, timeStamp: startedAt } = begun;
  const rtl = document.documentElement.dir === 'rtl';
  let follower: PressFollower | null = null;
  let outcome: 'cancel' | 'release' | null = null;
  let isHeldDown = true;

  const notifyFollower = (): void => {
    if (!follower || outcome === null) return;
    if (outcome === 'cancel') follower.onCancel();
    else follower.onRelease();
    follower = null;
  };
  const end = (result: typeof outcome): void => {
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onLost);
    outcome = result;
    if (result === null) {
      isHeldDown = false;
      follower?.onLoose();
    }
    notifyFollower();
  };
  const distance = (event: PointerEvent): number => (rtl ? event.clientX - at : at - event.clientX) / cancelDistance;
  function onMove(event: PointerEvent): void {
    if (event.pointerId !== pointerId) return;
    const share = Math.min(1, Math.max(0, distance(event)));
    follower?.onMove(share);
    if (share >= 1) end('cancel');
  }
  function onUp(event: PointerEvent): void {
    if (event.pointerId === pointerId) end(event.timeStamp - startedAt < clickMs ? null : 'release');
  }
  /** The browser canceled the pointer, for example for the microphone prompt. Treated as a click, not a release. */
  function onLost(event: PointerEvent): void {
    if (event.pointerId === pointerId) end(null);
  }
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onLost);
  return {
    get isHeldDown() {
      return isHeldDown;
    },
    follow(next) {
      follower = next;
      if (!isHeldDown) next.onLoose();
      notifyFollower();
      return () => void (follower = null);
    },
  };
}
