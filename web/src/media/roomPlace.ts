/** One's place in a room, kept by the tab, so that loading the page anew leads back to it without questions. */
export interface RoomPlace {
  participantId: string;
  microphone: boolean;
  camera: boolean;
}

type PlaceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Who comes back later than this is asked again, with the camera off until they say so. */
const goodForMs = 20_000;

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
  try {
    const kept = JSON.parse(storage.getItem(key(roomCode)) ?? 'null') as (RoomPlace & { at: number }) | null;
    if (!kept || typeof kept.participantId !== 'string' || now - kept.at > goodForMs) return null;
    return { participantId: kept.participantId, microphone: kept.microphone, camera: kept.camera };
  } catch {
    return null;
  }
}
