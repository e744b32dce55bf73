import { limits } from '@nolo/rules';

/** The user's place in a room. The web app stores it in the tab, so that a page reload returns to it directly. */
export interface StoredRoomPlace {
  participantId: string;
  microphone: boolean;
  camera: boolean;
}

type PlaceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Milliseconds within which a returning user rejoins directly. Later, they must confirm first, with the camera off
 * until then.
 */
const goodForMs = 20_000;

type KeptPlace = StoredRoomPlace & { at: number };

function readPlace(storage: PlaceStorage, roomCode: string): KeptPlace | null {
  try {
    const kept = JSON.parse(storage.getItem(key(roomCode)) ?? 'null') as KeptPlace | null;
    return kept && typeof kept.participantId === 'string' ? kept : null;
  } catch {
    return null;
  }
}

const key = (roomCode: string) => `nolo.place.${roomCode}`;

export function storeRoomPlace(storage: PlaceStorage, roomCode: string, place: StoredRoomPlace, now: number): void {
  try {
    storage.setItem(key(roomCode), JSON.stringify({ ...place, at: now }));
  } catch {
    // If storing fails, returning leads through the pre-join page.
  }
}

export function dropRoomPlace(storage: PlaceStorage, roomCode: string): void {
  storage.removeItem(key(roomCode));
}

export function findRoomPlace(storage: PlaceStorage, roomCode: string, now: number): StoredRoomPlace | null {
  const kept = readPlace(storage, roomCode);
  if (!kept || now - kept.at > goodForMs) return null;
  return { participantId: kept.participantId, microphone: kept.microphone, camera: kept.camera };
}

/** Returns the participant id to request when the user rejoins manually, while the server may still know it. */
export function findEarlierParticipantId(storage: PlaceStorage, roomCode: string, now: number): string | undefined {
  const kept = readPlace(storage, roomCode);
  return kept && now - kept.at <= limits.participantReturnMs ? kept.participantId : undefined;
}
