<?php

declare(strict_types=1);

$files = PhpCsFixer\Finder::create()
    ->in([__DIR__ . '/src', __DIR__ . '/tests', __DIR__ . '/examples', __DIR__ . '/fuzz', __DIR__ . '/bench', __DIR__ . '/tools', __DIR__ . '/rybakit', __DIR__ . '/../conformance/adapters/php', __DIR__ . '/../conformance/dictionaries'])
    ->append([__FILE__, __DIR__ . '/preload.php']);

return (new PhpCsFixer\Config())
    ->setRiskyAllowed(true)
    ->setRules([
        '@PER-CS2.0' => true,
        'declare_strict_types' => true,
        'no_unused_imports' => true,
        'ordered_imports' => true,
        'native_function_invocation' => ['include' => ['@all'], 'scope' => 'namespaced'],
        'native_constant_invocation' => ['scope' => 'namespaced'],
    ])
    ->setCacheFile(__DIR__ . '/.php-cs-fixer.cache')
    ->setFinder($files);
