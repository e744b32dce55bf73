/** Opens `/ws` at our own origin; the session cookie identifies the user (decision 3). Frames come sealed. */
const connect = (): WebSocket => new WebSocket(`${location.origin.replace('http', 'ws')}/ws?content=sealed`);

let early: WebSocket | undefined;
const earlyMessages: MessageEvent[] = [];

/**
 * Opens the socket while the code that handles it is still loading. If it is open when the chats start, nothing is
 * missed from then on, so the list is fetched only once.
 */
export function openEarlySocket(): void {
  early = connect();
  early.onmessage = (event) => earlyMessages.push(event);
}

/** Returns the early socket with its messages so far, once and if it is still alive; afterwards new sockets. */
export function takeEarlySocket(): { socket: WebSocket; earlyMessages: MessageEvent[] } {
  const socket = early;
  early = undefined;
  return socket && socket.readyState < WebSocket.CLOSING
    ? { socket, earlyMessages }
    : { socket: connect(), earlyMessages: [] };
}
