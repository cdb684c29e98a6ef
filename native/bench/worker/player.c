#include "player.h"

#include "flight.h"
#include "times.h"

#define IN_FLIGHT 2 /* as programs do that prepare the next request while the last one runs */

/* False when the play is over first. */
static bool wait_for_tokens(struct player *player)
{
    int64_t now, wait;
    while ((now = now_nanos()) < player->ledger.to &&
           (wait = throttle_wait(&player->throttle, now)) > 0) {
        sleep_until(now + wait);
    }
    return now < player->ledger.to;
}

/*
 * Closed loop. The program wants the next result as soon as it has the last one, so that is when a
 * request arrives, though it may have been launched before.
 */
static bool play_continuously(struct player *player)
{
    struct flight flights[IN_FLIGHT];
    unsigned begun = 0, ended = 0;
    int64_t arrival = player->start;
    for (;;) {
        struct flight *oldest = ended < begun ? &flights[ended % IN_FLIGHT] : NULL;
        int64_t now = now_nanos();
        if (begun - ended < IN_FLIGHT && now < player->ledger.to &&
            throttle_wait(&player->throttle, now) == 0) {
            if (!flight_begin(&flights[begun++ % IN_FLIGHT], player->queue, oldest)) {
                return false;
            }
        } else if (oldest != NULL) {
            if (!flight_end(oldest)) {
                return false;
            }
            ended++;
            ledger_offered(&player->ledger, arrival);
            ledger_done(&player->ledger, arrival, oldest->first, oldest->longest,
                        oldest->ended);
            throttle_charge(&player->throttle, oldest->ended - (oldest->begun > arrival
                                                                    ? oldest->begun
                                                                    : arrival));
            arrival = oldest->ended;
        } else if (!wait_for_tokens(player)) {
            break;
        }
    }
    /* One more is wanted, and held back, if the play ends so. */
    ledger_offered(&player->ledger, arrival);
    ledger_wanted(&player->ledger, arrival, player->ledger.to);
    return true;
}

/* Open loop. Returns when the play is over, with the first arrival that was not served. */
static bool serve_arrivals(struct player *player, int64_t *arrival)
{
    while (*arrival < player->ledger.to) {
        struct flight flight;
        int64_t arrived = *arrival;
        if (now_nanos() < *arrival) {
            sleep_until(*arrival);
            arrived = now_nanos(); /* how late a program wakes up is not the device's doing */
        }
        if (!wait_for_tokens(player)) {
            return true;
        }
        if (!flight_begin(&flight, player->queue, NULL) || !flight_end(&flight)) {
            return false;
        }
        throttle_charge(&player->throttle, flight.ended - flight.begun);
        ledger_offered(&player->ledger, *arrival);
        ledger_done(&player->ledger, arrived, flight.first, flight.longest, flight.ended);
        *arrival = arrivals_next(&player->arrivals);
        while (player->drops && *arrival <= flight.ended) {
            ledger_offered(&player->ledger, *arrival);
            *arrival = arrivals_next(&player->arrivals);
        }
    }
    return true;
}

static bool play_paced(struct player *player)
{
    int64_t arrival = arrivals_next(&player->arrivals);
    if (!serve_arrivals(player, &arrival)) {
        return false;
    }
    for (; arrival < player->ledger.to; arrival = arrivals_next(&player->arrivals)) {
        ledger_offered(&player->ledger, arrival);
        ledger_wanted(&player->ledger, arrival, player->ledger.to);
    }
    return true;
}

void *player_run(void *argument)
{
    struct player *player = argument;
    player->failed = !backend->enter();
    if (!player->failed) {
        sleep_until(player->start);
        player->failed =
            !(player->continuous ? play_continuously(player) : play_paced(player));
    }
    return NULL;
}
