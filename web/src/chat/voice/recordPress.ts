/** Shorter is a click: the recording goes on until one says so. Longer is held, and letting go sends it. */
const clickMs = 400;
/** Pixels to the side that throw it away. */
const cancelDistance = 90;

export interface PressFollower {
  /** How far the way to throwing it away is done, from 0 to 1. */
  onMove(share: number): void;
  onCancel(): void;
  /** The button is held no more, and the recording goes on. */
  onLoose(): void;
  onRelease(): void;
}

/** A press on the microphone, which goes on while what records comes over the line. */
export interface RecordPress {
  /** The button is held down, or was so long that letting go counts. */
  readonly held: boolean;
  /** Tells how it goes on, and at once how it went; the returned function stops that. */
  follow(follower: PressFollower): () => void;
}

/** Begun with the keyboard: nothing is held. */
export const clicked: RecordPress = { held: false, follow: () => () => {} };

/**
 * Follows a pointer from where and when it was pressed, wherever it goes. The events' own times count: a page that is
 * busy hears of them late, and a click is no holding down because of that.
 */
export function beginPress(begun: Pick<PointerEvent, 'clientX' | 'pointerId' | 'timeStamp'>): RecordPress {
  const { clientX: at, pointerId, timeStamp: startedAt } = begun;
  const rtl = document.documentElement.dir === 'rtl';
  let follower: PressFollower | null = null;
  let outcome: 'cancel' | 'release' | null = null;
  let held = true;

  const tell = (): void => {
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
      held = false;
      follower?.onLoose();
    }
    tell();
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
  /** The browser took the pointer away, to ask for the microphone for instance: that is no letting go. */
  function onLost(event: PointerEvent): void {
    if (event.pointerId === pointerId) end(null);
  }
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onLost);
  return {
    get held() {
      return held;
    },
    follow(next) {
      follower = next;
      if (!held) next.onLoose();
      tell();
      return () => void (follower = null);
    },
  };
}
