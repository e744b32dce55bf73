import { limits } from '@nolo/rules';

/** One's place in a room, kept by the tab, so that loading the page anew leads back to it without questions. */
export interface RoomPlace {
  participantId: string;
  microphone: boolean;
  camera: boolean;
}

type PlaceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Who comes back later than this is asked again, with the camera off until they say so. */
const goodForMs = 20_000;

type KeptPlace = RoomPlace & { at: number };

function readPlace(storage: PlaceStorage, roomCode: string): KeptPlace | null {
  try {
    const kept = JSON.parse(storage.getItem(key(roomCode)) ?? 'null') as KeptPlace | null;
    return kept && typeof kept.participantId === 'string' ? kept : null;
  } catch {
    return null;
  }
}

const key = (roomCode: string) => `nolo.place.${roomCode}`;

export function keepPlace(storage: PlaceStorage, roomCode: string, place: RoomPlace, now: number): void {
  try {
    storage.setItem(key(roomCode), JSON.stringify({ ...place, at: now }));
  } catch {
    // Without it the way back leads over the screen before.
  }
}

export function dropPlace(storage: PlaceStorage, roomCode: string): void {
  storage.removeItem(key(roomCode));
}

export function findPlace(storage: PlaceStorage, roomCode: string, now: number): RoomPlace | null {
  const kept = readPlace(storage, roomCode);
  if (!kept || now - kept.at > goodForMs) return null;
  return { participantId: kept.participantId, microphone: kept.microphone, camera: kept.camera };
}

/** Whom to ask for when one joins by hand: for as long as the server may still know. */
export function findEarlierId(storage: PlaceStorage, roomCode: string, now: number): string | undefined {
  const kept = readPlace(storage, roomCode);
  return kept && now - kept.at <= limits.participantReturnMs ? kept.participantId : undefined;
}
