/** Channel between tabs of this app, independent of the signed-in user. */
const channelName = 'nolo-tabs';

/** Channel object of this tab, whose messages reach only other tabs. */
let own: BroadcastChannel | undefined;

/** Notifies other tabs that this device's personal data is erased. */
export function broadcastErased(): void {
  own ??= new BroadcastChannel(channelName);
  own.postMessage('erased');
}

/** Calls `listener` when another tab erases the device. */
export function onDeviceErased(listener: () => void): void {
  own ??= new BroadcastChannel(channelName);
  own.addEventListener('message', listener);
}
