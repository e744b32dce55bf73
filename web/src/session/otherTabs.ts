/** What tabs of this app say to each other whoever is signed in. */
const channelName = 'nolo-tabs';

/** Tells the other tabs that the person's traces are erased from this device. */
export function tellErased(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('erased');
  channel.close();
}

/** Calls back when another tab erases the device. */
export function onErased(listener: () => void): void {
  new BroadcastChannel(channelName).addEventListener('message', listener);
}
