/*
 * Runs requests in several threads at once, in a PHP built for threads (tools/test-ext --build zts). work.php returns a
 * function. Each request calls it with a seed, and packs and unpacks its answer through polypack_api.h. Before that,
 * the main thread has called it alone with the same seeds; every answer must be the same.
 *
 * usage: threads WORK.PHP THREADS REQUESTS
 *
 * The extension comes from the php.ini, as in a server.
 */
#include <pthread.h>

#include "sapi/embed/php_embed.h"
#include "Zend/zend_exceptions.h"
#include "polypack_api.h"

#ifndef ZTS
# error "this PHP was built without threads"
#endif

enum { SEEDS = 16, MOST_THREADS = 64 };

static const char *work;
static int requests;
static zend_string *expected[SEEDS]; /* of the main thread; persistent, and only read while threads run */
static pthread_barrier_t all_are_ready;

typedef struct {
	pthread_t thread;
	int number;
	int good;
} worker;

/* Packs and unpacks the answer as another extension in C would. */
static bool survives_api(zval *answer)
{
	const polypack_api *api = polypack_find_api();
	zval back;
	bool is_same = false;
	zend_string *packed = api == NULL ? NULL : api->pack(answer, 0);
	if (packed != NULL && api->unpack(&back, packed, 0)) {
		is_same = zend_is_identical(answer, &back);
		zval_ptr_dtor(&back);
	}
	if (packed != NULL) {
		zend_string_release(packed);
	}
	return is_same;
}

/* Runs one request. Returns the answer as a persistent string; NULL if anything failed, which PHP has printed. */
static zend_string *serve(int seed)
{
	zend_string *volatile kept = NULL;
	zval function, answer, argument;
	zend_file_handle file;
	if (php_request_startup() == FAILURE) {
		return NULL;
	}
	SG(request_info).no_headers = true;
	ZVAL_UNDEF(&function);
	ZVAL_UNDEF(&answer);
	ZVAL_LONG(&argument, seed);
	zend_first_try {
		zend_stream_init_filename(&file, work);
		if (zend_execute_scripts(ZEND_REQUIRE, &function, 1, &file) == SUCCESS && Z_TYPE(function) == IS_OBJECT) {
			call_user_function(NULL, NULL, &function, &answer, 1, &argument);
		}
		if (Z_TYPE(answer) == IS_STRING && survives_api(&answer)) {
			kept = zend_string_init(Z_STRVAL(answer), Z_STRLEN(answer), true);
		}
		if (EG(exception)) {
			zend_exception_error(EG(exception), E_ERROR);
		}
		zval_ptr_dtor(&answer);
		zval_ptr_dtor(&function);
	} zend_end_try();
	php_request_shutdown(NULL);
	return kept;
}

static void *run(void *data)
{
	worker *self = data;
	ts_resource(0);
	pthread_barrier_wait(&all_are_ready);
	for (int i = 0; i < requests; i++) {
		int seed = (self->number + i) % SEEDS;
		zend_string *answer = serve(seed);
		if (answer != NULL && zend_string_equals(answer, expected[seed])) {
			self->good++;
		} else {
			fprintf(stderr, "threads: thread %d, request %d, seed %d: %s\n", self->number, i, seed, answer == NULL ? "no answer" : "another answer");
		}
		if (answer != NULL) {
			zend_string_release(answer);
		}
	}
	ts_free_thread();
	return NULL;
}

int main(int argc, char **argv)
{
	static worker workers[MOST_THREADS];
	int count = argc == 4 ? atoi(argv[2]) : 0;
	int good = 0;
	requests = argc == 4 ? atoi(argv[3]) : 0;
	if (count < 2 || count > MOST_THREADS || requests < 1) {
		fprintf(stderr, "usage: threads WORK.PHP THREADS REQUESTS (2 to %d threads)\n", MOST_THREADS);
		return 2;
	}
	work = argv[1];
	if (php_embed_init(1, argv) == FAILURE) {
		return 1;
	}
	php_request_shutdown(NULL); /* each seed gets a request of its own */
	for (int i = 0; i < SEEDS; i++) {
		expected[i] = serve(i);
		if (expected[i] == NULL || (i > 0 && zend_string_equals(expected[i], expected[i - 1]))) {
			fprintf(stderr, "threads: the main thread gets no answer for seed %d, or that of the seed before\n", i);
			return 1;
		}
	}
	pthread_barrier_init(&all_are_ready, NULL, (unsigned) count);
	for (int i = 0; i < count; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0) {
			perror("threads");
			return 1;
		}
	}
	for (int i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		good += workers[i].good;
	}
	for (int i = 0; i < SEEDS; i++) {
		zend_string_release(expected[i]);
	}
	pthread_barrier_destroy(&all_are_ready);
	if (php_request_startup() == FAILURE) { /* php_embed_shutdown() ends one */
		return 1;
	}
	php_embed_shutdown();
	printf("%d threads: %d of %d requests had the right answer\n", count, good, count * requests);
	return good == count * requests ? 0 : 1;
}
