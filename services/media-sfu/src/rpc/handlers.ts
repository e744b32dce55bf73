import type { Dependencies } from './dependencies.ts';
import { getNode } from './nodes.ts';
import { getPeerStats, join, leave, moveSocket, reserve, setView } from './peers.ts';
import { closeRoom, openPipe, setPipeDemand, setPipedProducer } from './rooms.ts';
import { closeProducer, connectTransport, produce, restartIce, resumeConsumers, setPaused } from './tracks.ts';

/** @param endQuietPeriod called by requests that may bring someone here */
export function createMediaHandlers(dependencies: Dependencies, endQuietPeriod: () => void) {
  /** Wraps handlers after which someone may be here. */
  const endingQuietPeriod =
    <Arguments extends unknown[], Reply>(handler: (...handlerArguments: Arguments) => Reply) =>
    (...handlerArguments: Arguments): Reply => {
      endQuietPeriod();
      return handler(...handlerArguments);
    };

  return {
    getNode: getNode(dependencies),
    join: endingQuietPeriod(join(dependencies)),
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
    openPipe: endingQuietPeriod(openPipe(dependencies)),
    setPipedProducer: setPipedProducer(dependencies),
    setPipeDemand: setPipeDemand(dependencies),
  };
}
