// Preload for a gateway (`node --import`): the first socket of each session works, and every later one goes deaf.
import { Server } from 'node:http';

const deafAfterMs = 2_000;
const known = new Set();
const { emit } = Server.prototype;

Server.prototype.emit = function (name, request, socket, ...rest) {
  if (name === 'upgrade') {
    const session = request.headers.authorization;
    if (known.has(session)) {
      setTimeout(() => {
        socket.write = () => true;
      }, deafAfterMs).unref();
    }
    known.add(session);
  }
  return emit.call(this, name, request, socket, ...rest);
};
