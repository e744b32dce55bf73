/** What tabs of this app say to each other whoever is signed in. */
const channelName = 'nolo-tabs';

/** This tab's own: what is said on it is heard by the others alone. */
let own: BroadcastChannel | undefined;

/** Tells the other tabs that the person's traces are erased from this device. */
export function tellErased(): void {
  own ??= new BroadcastChannel(channelName);
  own.postMessage('erased');
}

/** Calls back when another tab erases the device. */
export function onErased(listener: () => void): void {
  own ??= new BroadcastChannel(channelName);
  own.addEventListener('message', listener);
}
