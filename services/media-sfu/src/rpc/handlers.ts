import type { Dependencies } from './dependencies.ts';
import { getNode } from './nodes.ts';
import { getPeerStats, join, leave, moveSocket, reserve, setView } from './peers.ts';
import { closeRoom, openPipe, setPipeDemand, setPipedProducer } from './rooms.ts';
import { closeProducer, connectTransport, produce, restartIce, resumeConsumers, setPaused } from './tracks.ts';

/** @param stir called by requests that may bring someone here */
export function mediaHandlers(dependencies: Dependencies, stir: () => void) {
  /** Wraps handlers after which someone may be here. */
  const stirring =
    <Asked extends unknown[], Reply>(handler: (...asked: Asked) => Reply) =>
    (...asked: Asked): Reply => {
      stir();
      return handler(...asked);
    };

  return {
    getNode: getNode(dependencies),
    join: stirring(join(dependencies)),
    moveSocket: moveSocket(dependencies),
    reserve: reserve(dependencies),
    connectTransport: connectTransport(dependencies),
    restartIce: restartIce(dependencies),
    produce: produce(dependencies),
    closeProducer: closeProducer(dependencies),
    setPaused: setPaused(dependencies),
    setView: setView(dependencies),
    resumeConsumers: resumeConsumers(dependencies),
    leave: leave(dependencies),
    closeRoom: closeRoom(dependencies),
    getPeerStats: getPeerStats(dependencies),
    openPipe: stirring(openPipe(dependencies)),
    setPipedProducer: setPipedProducer(dependencies),
    setPipeDemand: setPipeDemand(dependencies),
  };
}
