import { dropRoomPlace, findEarlierParticipantId, findRoomPlace, storeRoomPlace } from './roomPlace.ts';

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
const place = { participantId: 'p', microphone: true, camera: false };

test('a reloaded page finds its place for a short while', () => {
  const kept = storage();
  storeRoomPlace(kept, 'ABC234', place, 1_000);
  expect(findRoomPlace(kept, 'ABC234', 11_000)).toEqual(place);
  expect(findRoomPlace(kept, 'XYZ234', 11_000)).toBeNull();
  expect(findRoomPlace(kept, 'ABC234', 61_000)).toBeNull();
  // A user who rejoins manually keeps their participant id while the server remembers it.
  expect(findEarlierParticipantId(kept, 'ABC234', 61_000)).toBe('p');
  expect(findEarlierParticipantId(kept, 'ABC234', 122_000)).toBeUndefined();
});

test('a dropped or invalid place is not found', () => {
  const kept = storage();
  storeRoomPlace(kept, 'ABC234', place, 1_000);
  dropRoomPlace(kept, 'ABC234');
  expect(findRoomPlace(kept, 'ABC234', 1_000)).toBeNull();
  kept.setItem('nolo.place.ABC234', '{');
  expect(findRoomPlace(kept, 'ABC234', 1_000)).toBeNull();
});
