/** Opens `/ws` at our own origin; the session cookie says who we are (decision 3). */
function connect(): WebSocket {
  const url = new URL('/ws', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url);
}

let early: WebSocket | undefined;
const heard: MessageEvent[] = [];
const keep = (event: MessageEvent): void => void heard.push(event);

/**
 * Opens the socket while the code that listens to it is still on its way. One that is open when the chats begin says that
 * nothing happens unheard from there on, so that the list is asked for once.
 */
export function connectEarly(): void {
  early = connect();
  early.addEventListener('message', keep);
}

/** The socket that was opened early, to whoever comes first and while it lives, with what it said so far; new ones then. */
export function takeSocket(): { socket: WebSocket; said: MessageEvent[] } {
  const socket = early;
  early = undefined;
  socket?.removeEventListener('message', keep);
  const said = heard.splice(0);
  const lives = socket !== undefined && socket.readyState <= WebSocket.OPEN;
  return lives ? { socket, said } : { socket: connect(), said: [] };
}
