"""A property that is worked out once for its object."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class cached(Generic[Value]):  # noqa: N801 - used like `property`
    """`functools.cached_property` as it is from Python 3.12 on.

    That of 3.11 takes a lock for every object and property, which costs more than most properties that the checks of an
    answer read. Two threads may work the same value out, and either is kept.
    """

    def __init__(self, function: Callable[[Any], Value]) -> None:
        """Take what works the value out."""
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name under which the object keeps the value, where it is found before this is asked again."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "cached[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> "Value | cached[Value]":
        """The value for an object."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._function(instance)
        return value
