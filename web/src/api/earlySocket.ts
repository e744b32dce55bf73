/** Opens `/ws` at our own origin; the session cookie says who we are (decision 3). */
const connect = (): WebSocket => new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);

let early: WebSocket | undefined;
const said: MessageEvent[] = [];

/**
 * Opens the socket while the code that listens to it is still on its way. One that is open when the chats begin says that
 * nothing happens unheard from there on, so that the list is asked for once.
 */
export function connectEarly(): void {
  early = connect();
  early.onmessage = (event) => said.push(event);
}

/** The socket that was opened early, to whoever comes first and while it lives, with what it said so far; new ones then. */
export function takeSocket(): { socket: WebSocket; said: MessageEvent[] } {
  const socket = early;
  early = undefined;
  return socket && socket.readyState < WebSocket.CLOSING ? { socket, said } : { socket: connect(), said: [] };
}
