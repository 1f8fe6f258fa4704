// A self-healing watch as an Observable (client-go `Reflector`, kube-rs `watcher`).

import type { KubeObject } from '@kubewire/kube-model'
import { Observable } from 'rxjs'
import type { ResourceEvent } from './event.ts'
import { runWatch } from './run-watch.ts'
import type { ResourceSource } from './source.ts'
import type { WatchResourceOptions } from './watch-options.ts'

/**
 * Watches a resource for as long as someone is subscribed: the whole state first, then changes, healed after any
 * failure. The stream never errors and never completes; failures go to `onError`. Unsubscribing aborts the request.
 *
 * @see client-go `Reflector`, kube-rs `watcher`
 * @example
 * watchResource(cluster.source(Services)).subscribe((event) => console.log(event.type))
 */
export function watchResource<T extends KubeObject>(
  source: ResourceSource<T>,
  options: WatchResourceOptions = {},
): Observable<ResourceEvent<T>> {
  return new Observable((subscriber) => {
    const watch = runWatch(source, options, {
      event: (event) => subscriber.next(event),
      error: (error) => options.onError?.(error),
    })
    return () => void watch.close()
  })
}
