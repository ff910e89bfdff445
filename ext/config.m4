dnl Builds the extension polypack: ./configure --enable-polypack

PHP_ARG_ENABLE([polypack],
  [whether to enable polypack],
  [AS_HELP_STRING([--enable-polypack], [Enable polypack, MessagePack in C])],
  [yes])

PHP_ARG_ENABLE([polypack-warnings],
  [whether to make warnings of the compiler errors in polypack],
  [AS_HELP_STRING([--enable-polypack-warnings], [Fail on any warning (for those who work on polypack)])],
  [no], [no])

if test "$PHP_POLYPACK" != "no"; then
  dnl Ints of PHP must hold those of the format up to 2^63-1.
  AC_CHECK_SIZEOF([long long], [8])
  AC_CHECK_SIZEOF([size_t], [8])
  if test "$ac_cv_sizeof_size_t" != "8"; then
    AC_MSG_ERROR([polypack needs a PHP of 64 bits])
  fi

  POLYPACK_CFLAGS="-DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  if test "$PHP_POLYPACK_WARNINGS" != "no"; then
    dnl The headers of PHP have unused parameters and compare numbers of different sign.
    POLYPACK_CFLAGS="$POLYPACK_CFLAGS -Wall -Wextra -Werror -Wno-unused-parameter -Wno-sign-compare -Wframe-larger-than=384"
  fi

  PHP_NEW_EXTENSION([polypack],
    [polypack.c src/canonical.c src/decoder.c src/decoder_map.c src/encoder.c src/errors.c src/extension.c src/faults.c src/lossless.c src/stream.c src/timestamp.c src/types.c \
      src/records/decoding.c src/records/dictionary.c src/records/encoding.c \
      src/snapshot/apcu.c src/snapshot/cells.c src/snapshot/classes.c src/snapshot/column_writer.c src/snapshot/columns.c src/snapshot/functions.c src/snapshot/graph.c src/snapshot/keys.c src/snapshot/library.c src/snapshot/names.c \
      src/snapshot/objects.c src/snapshot/plans.c src/snapshot/reader.c src/snapshot/reading.c src/snapshot/references.c src/snapshot/rows.c src/snapshot/session.c src/snapshot/sha256.c src/snapshot/shapes.c src/snapshot/signed.c src/snapshot/source.c src/snapshot/writer.c],
    [$ext_shared],,
    [$POLYPACK_CFLAGS])
  PHP_ADD_BUILD_DIR([$ext_builddir/src])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/records])
  PHP_ADD_BUILD_DIR([$ext_builddir/src/snapshot])
  PHP_INSTALL_HEADERS([ext/polypack], [polypack_api.h])
  PHP_ADD_EXTENSION_DEP([polypack], [date])
  PHP_ADD_EXTENSION_DEP([polypack], [hash])
fi
